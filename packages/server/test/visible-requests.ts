import type { TestServer } from './start-server.ts'

export interface VisibleRequest {
  readonly address: string
  readonly body?: object | undefined
}

export const ask = async (
  { url }: TestServer,
  { address, body }: VisibleRequest,
  { id, accessToken, key }: { id: string; accessToken: string; key?: string },
) => {
  const credential = key === undefined ? { authorization: `Bearer ${accessToken}` } : { 'x-api-key': key }
  const reply = await fetch(url + address, {
    headers: { ...credential, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const [, requestId = ''] = /"requestId":"([^"]+)"/.exec(text) ?? []
  return {
    address,
    body,
    status: reply.status,
    // These differ for each reply and each person.
    text: text
      .replaceAll(url, 'the server')
      .replaceAll(id, 'the viewer')
      .replaceAll(requestId || 'no request id', '')
      .replace(/"timestamp":"[^"]*"/, '')
      // A refusal at the compatibility door repeats what was asked.
      .replace(/"path":"\/komga\/[^"]*"/, '')
      .replaceAll(/"id":"[^"]*","userId"/g, 'their progress'),
    link: reply.headers.get('link'),
  }
}

/** The same question is asked once: nothing changes between two of them. */
export const onceEach = <Answer>(ask: (request: VisibleRequest) => Promise<Answer>) => {
  const answers = new Map<string, Promise<Answer>>()
  return (request: VisibleRequest): Promise<Answer> => {
    const key = JSON.stringify([request.address, request.body])
    const answer = answers.get(key) ?? ask(request)
    answers.set(key, answer)
    return answer
  }
}

/** Several at a time: most of a question is waiting for the database. */
export const eachOf = async <Item>(items: readonly Item[], check: (item: Item) => Promise<void>): Promise<void> => {
  const left = items.values()
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const item of left) await check(item)
    }),
  )
}
