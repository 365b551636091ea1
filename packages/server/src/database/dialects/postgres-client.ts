import type { Socket } from 'node:net'
import { Client } from 'pg'

interface OneClient {
  readonly url: string
  /** A connection, and each answer, may take so long. */
  readonly answersWithinMs: number
  /** It is used by whoever wants to know what came through it. */
  readonly socket?: Socket
}

/** A connection beside the pools, for one piece of work. */
export const withClient = async <Result>(
  { url, answersWithinMs, socket }: OneClient,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: answersWithinMs,
    query_timeout: answersWithinMs,
    application_name: 'carrel',
    ...(socket && { stream: () => socket }),
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
