import { openConnection, type Reply } from './connection.ts'

export const exchangeOnce = async (port: number, request: Buffer): Promise<Reply> => {
  const connection = await openConnection(port)
  try {
    return await connection.exchange(request)
  } finally {
    connection.close()
  }
}
