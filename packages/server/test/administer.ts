import { Client } from 'pg'

/** A statement about whole databases of the PostgreSQL of this address. */
export const administer = async (address: URL, statement: string): Promise<void> => {
  const url = new URL(address)
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
