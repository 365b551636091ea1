import { Client } from 'pg'

interface OneClient {
  readonly url: string
  /** A connection, and each answer, may take so long. */
  readonly answersWithinMs: number
}

/** A connection beside the pools, for one piece of work. */
export const withClient = async <Result>(
  { url, answersWithinMs }: OneClient,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: answersWithinMs,
    query_timeout: answersWithinMs,
    application_name: 'carrel',
  })
  // Without a listener the end of the connection would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
