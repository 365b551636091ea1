import { createHash, createHmac } from 'node:crypto'

/** A request as it came in, with its path as it was written. */
export interface SignedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/**
 * The signature that a request should have, worked out from Amazon's description of version 4 and from nothing of the client.
 * Undefined: it is not signed, or what came is not what was signed.
 */
export const expectedSignature = ({ method, path, headers, body }: SignedRequest, secretKey: string) => {
  const authorization = String(headers['authorization'] ?? '')
  const [, scope = '', names = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? []
  const digest = String(headers['x-amz-content-sha256'])
  if (given === '' || digest !== sha256(body)) return undefined
  const [address = '', query = ''] = path.split('?')
  const pairs = query.split('&').filter((pair) => pair !== '')
  const canonicalQuery = pairs.map((pair) => (pair.includes('=') ? pair : `${pair}=`)).toSorted()
  const canonicalHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, address, canonicalQuery.join('&'), canonicalHeaders.join(''), names, digest].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<Buffer | string>((before, part) => hmac(before, part), `AWS4${secretKey}`)
  return { given, expected: hmac(key, toSign).toString('hex') }
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer | string, content: string): Buffer => createHmac('sha256', key).update(content).digest()
