import type { BookDetail } from '@carrel/api'
import { basePath } from '../../../../api/base.ts'
import { ApiProblem } from '../../../../api/call.ts'
import { connectionBack, connectionLost, reachesServer } from '../../../../api/connection.ts'

export type BookFile = Pick<BookDetail, 'id' | 'fileHash'>

/** The address of a file is absolute, because a document in memory asks for it. */
export const addressOfFile = ({ id, fileHash }: BookFile, href: string): string => {
  const version = fileHash === null ? '' : `?v=${encodeURIComponent(fileHash)}`
  return `${window.location.origin}${basePath}/api/v1/books/${id}/${href}${version}`
}

/** Text from inside the book. While the server is away it waits: whoever turns the page then turns it when it is back. */
export const readFile = async (book: BookFile, href: string): Promise<string> => {
  for (;;) {
    try {
      const response = await fetch(addressOfFile(book, href))
      if (!response.ok) throw await problemOf(response)
      return await response.text()
    } catch (error) {
      if (error instanceof ApiProblem || (await reachesServer())) throw error
      connectionLost()
      await connectionBack()
    }
  }
}

const problemOf = async (response: Response): Promise<ApiProblem> => {
  const reply = (await response.json().catch(() => ({}))) as { error?: ApiProblem['code']; message?: string }
  return new ApiProblem(reply.error ?? 'internal_error', reply.message ?? '', { status: response.status })
}
