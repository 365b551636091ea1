import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface PlainReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: unknown
}

/** A request with exactly these headers: `fetch` adds some of its own and refuses others. */
export const plainRequest = (
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: OutgoingHttpHeaders; body?: unknown } = {},
): Promise<PlainReply> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const outgoing = request(
      url,
      { method, headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = response.headers['content-type']?.includes('json') === true && text !== ''
          const json: unknown = isJson ? JSON.parse(text) : undefined
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
