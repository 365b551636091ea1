import { isLoopback } from '../../config.ts'

const bytesMax = 1024 * 1024

interface Options {
  readonly method?: string | undefined
  readonly headers?: Record<string, string> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** It is `fetch` for providers: encrypted except on this machine, no redirects, and at most a mebibyte of answer. */
export const limitedFetch = async (address: string, options: Options): Promise<Response> => {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw new TypeError(`A provider is asked with https only, not at ${protocol}//${hostname}`)
  }
  const response = await fetch(address, { ...(options as RequestInit), redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > bytesMax) throw new TypeError(`The answer of ${hostname} is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  const hasBody = ![101, 204, 205, 304].includes(response.status)
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status: response.status, headers: response.headers })
}
