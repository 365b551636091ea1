import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors.ts'
import { couldNotBeRead } from '../reply/error-reply.ts'
import { isClean } from './decode-parameters.ts'

export const bodyBytesMax = 1024 * 1024
const depthMax = 64

/** Reads JSON bodies, and refuses every other kind where a body is wanted. */
export const readBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    // Besides plain JSON, what a merge is sent as, and what other protocols call their own.
    /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i,
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readBytes(payload, bytesMaxOf(request))
      requireUncompressed(request)
      if (takesBytes(request)) {
        if (!maybeJson(request)) throw noPicture()
        return body
      }
      if (!wantsBody(request)) return undefined
      if (!isOurs(request) && !request.route?.endpoint?.shape.door) throw noJson()
      return parseJson(body)
    },
  )
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (takesBytes(request)) {
      requireUncompressed(request)
      return readBytes(payload, bytesMaxOf(request))
    }
    if (wantsBody(request)) throw noJson()
    // Nobody reads it, but the connection can only go on once it has passed.
    payload.resume()
    return undefined
  })
}

const bytesMaxOf = ({ route }: FastifyRequest): number => route?.bodyBytesMax ?? bodyBytesMax

const isOurs = ({ headers }: FastifyRequest): boolean =>
  /^\s*application\/(?:merge-patch\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')

const noJson = () => new AppError('unsupported_media_type', 'Send the body as application/json.')

const wantsBody = (request: FastifyRequest): boolean => request.route?.endpoint?.shape.body !== undefined

const takesBytes = (request: FastifyRequest): boolean => request.route?.endpoint?.shape.upload !== undefined

const maybeJson = (request: FastifyRequest): boolean => request.route?.endpoint?.shape.upload?.maybeJson === true

const noPicture = () => new AppError('unsupported_media_type', 'Send a picture, not JSON.')

const readBytes = (payload: IncomingMessage, bytesMax: number): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  if (Number(payload.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  const chunks: Buffer[] = []
  let size = 0
  payload.on('data', (chunk: Buffer) => {
    size += chunk.length
    // What is left of it is thrown away once the refusal is on its way.
    if (size > bytesMax) reject(tooLarge(bytesMax))
    else chunks.push(chunk)
  })
  payload.once('end', () => resolve(Buffer.concat(chunks, size)))
  payload.once('error', (cause) => reject(couldNotBeRead(cause)))
  return promise
}

const tooLarge = (bytesMax: number) =>
  new AppError('payload_too_large', `The body is larger than ${Math.floor(bytesMax / 1024)} KiB.`)

const requireUncompressed = ({ headers }: FastifyRequest): void => {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'Send the body uncompressed.')
  }
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new AppError('unsupported_media_type', 'Send the body in UTF-8.')
  }
}

const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new AppError('malformed_request', 'The body is not valid UTF-8.')
  requireShallow(body)
  const text = body.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AppError('malformed_request', 'The body is not valid JSON.', { cause })
  }
  // Only an escape can bring such a character past the check above.
  if (text.includes('\\u')) requireCleanStrings(value)
  return value
}

const quote = 0x22
const backslash = 0x5c
const openers = [0x5b, 0x7b]
const closers = [0x5d, 0x7d]

/** Counted before parsing: a value nested a hundred thousand deep parses well and then breaks whatever walks it. */
const requireShallow = (body: Buffer): void => {
  // Ten thousand ids are gone through in a tenth of the time in which each byte is looked at.
  if (openersIn(body, depthMax) <= depthMax) return
  let depth = 0
  let inString = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index] ?? 0
    if (inString) {
      if (byte === backslash) index += 1
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (openers.includes(byte)) depth += 1
    else if (closers.includes(byte)) depth -= 1
    if (depth > depthMax)
      throw new AppError('malformed_request', `The body is nested more than ${depthMax} levels deep.`)
  }
}

/** How many there are, in strings too; it stops counting when there are more than `enough`. */
const openersIn = (body: Buffer, enough: number): number => {
  let count = 0
  for (const opener of openers)
    for (let at = body.indexOf(opener); at >= 0 && count <= enough; at = body.indexOf(opener, at + 1)) count += 1
  return count
}

/** The path is spelled as in a JSON pointer. */
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

const requireCleanStrings = (value: unknown, path = ''): void => {
  if (typeof value === 'string' && !isClean(value)) {
    const message = 'must not hold a null character or half a character'
    const subject = path.slice(1) || 'The body'
    throw new AppError('validation_failed', `${subject} ${message}.`, {
      details: [{ path, message }],
      reason: 'characters_wrong',
    })
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    requireCleanStrings(key, path)
    requireCleanStrings(item, `${path}/${escaped(key)}`)
  }
}
