import { createHmac } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { limitConcurrency } from '../../../platform/limits.ts'
import type { Media } from '../../../platform/media.ts'
import { deriveKey, sameSecret, sha256 } from '../../../platform/secrets/tokens.ts'
import { PluginFault } from '../../../plugins/fault.ts'
import { askOnce } from '../running/calls.ts'
import { coverAt } from './picture-at.ts'
import { pictureMethod, selectPluginRow } from '../queries.ts'

/** It records for whom a plugin has named the address of a picture. */
interface CoverOwner {
  readonly pluginId: string
  readonly userId: string
}

type Signing = Pick<Context, 'secret' | 'clock' | 'config'>

const hourMs = 60 * 60 * 1000
/** With longer ones our own addresses would become so long that proxies refuse them. */
const addressLengthMax = 1500

/**
 * Addresses of ours for the pictures that a plugin has just named to somebody: nobody else can use them, nobody can make
 * one, and after an hour or two they lead nowhere. Within an hour the same picture has the same one.
 */
export const foundCoverAddresses = (
  { secret, clock, config }: Signing,
  { pluginId, userId }: CoverOwner,
): ((url: string | null) => string | null) => {
  const until = (Math.floor(clock().getTime() / hourMs) + 2) * hourMs
  return (url) => {
    if (url === null || url.length > addressLengthMax) return null
    const claim = Buffer.from(JSON.stringify([pluginId, until, url])).toString('base64url')
    return `${config.basePath}/media/found-covers?picture=${claim}.${signatureOf(secret, userId, claim)}`
  }
}

const signatureOf = (secret: string, userId: string, claim: string): string =>
  createHmac('sha256', deriveKey(secret, 'found cover')).update(`${userId} ${claim}`).digest('base64url')

const inLine = limitConcurrency({
  inFlightMax: 16,
  waitingMax: 256,
  busy: 'Too many covers are being fetched. Ask again in a moment.',
})
const deadlineMs = 20_000

interface Fetched {
  readonly jpeg: string
}

export const readCandidateCover = async (
  context: Signing & Pick<Context, 'db'>,
  userId: string,
  picture: string,
): Promise<Media> => {
  const { pluginId, url } = requireOwn(context, userId, picture)
  if ((await selectPluginRow(context.db.read, pluginId))?.enabled !== 1) throw notFound('plugin')
  return {
    etag: sha256(picture).slice(0, 32),
    isImmutable: true,
    read: async () => {
      const question = { pluginId, method: pictureMethod, params: { url }, deadlineMs }
      const { jpeg } = (await inLine(() => askOnce(context, question)).catch(refuse)) as Fetched
      return { mediaType: 'image/jpeg', bytes: Buffer.from(jpeg, 'base64') }
    },
  }
}

const requireOwn = (
  { secret, clock }: Signing,
  userId: string,
  picture: string,
): { readonly pluginId: string; readonly url: string } => {
  const [claim = '', signature = '', ...more] = picture.split('.')
  if (more.length > 0 || !sameSecret(signature, signatureOf(secret, userId, claim))) throw notFound('picture')
  // The claim is signed, so we wrote it ourselves.
  const [pluginId, until, url] = JSON.parse(Buffer.from(claim, 'base64url').toString()) as [string, number, string]
  if (until <= clock().getTime()) throw notFound('picture any more')
  return { pluginId, url }
}

const refuse = (error: unknown): never => {
  if (!(error instanceof PluginFault)) throw error
  const { code, message } = error
  if (code === 'NOT_FOUND') throw new AppError('not_found', message, { cause: error })
  throw new AppError('unavailable', message, { cause: error, retryAfterSeconds: 10 })
}

/** The edge is that of the longer side: twice what a list of results shows. */
const sizes = { edge: 180, quality: 75 }
const fetchMs = 15_000

/** The worker's end. */
export const fetchCandidateCover =
  ({ decoders, settings }: { readonly decoders: Decoders } & Pick<Context, 'settings'>) =>
  async (params: unknown): Promise<Fetched> => {
    const { url } = params as { url: string }
    const allowedHosts = settings.get('plugins.cover_hosts')
    const made = await coverAt(decoders, { url, allowedHosts, sizes, signal: AbortSignal.timeout(fetchMs) })
    if ('problem' in made) throw new PluginFault('NOT_FOUND', made.problem)
    return { jpeg: made.large.toString('base64') }
  }
