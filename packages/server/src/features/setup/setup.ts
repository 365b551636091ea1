import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FirstAdministrator } from '@carrel/api'
import type { Database, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { AppError, tooManyTries } from '../../platform/errors.ts'
import { limitConcurrency } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { deriveKey, sameSecret } from '../../platform/secrets/tokens.ts'
import type { Visitor } from '../sessions/sessions.ts'
import { openSession, type SignInContext, type Welcome, welcome } from '../sign-in/sign-in.ts'
import { addUser, anyUserExists, requireUncommonPassword, requireUser } from '../users/users.ts'

const wrongTriesMax = 5
const wrongTriesMs = 60_000

/** The same on every node and after a restart, so that the one that was printed stays good until it is used. */
const setupTokenOf = (secret: string): string => deriveKey(secret, 'setup-token', 16).toString('hex')

const tokenFile = (dataDir: string): string => join(dataDir, 'setup-token')

/** It writes the token where the operator can find it, and removes it once it is of no use. */
export const publishSetupToken = async (db: Database, secret: string, dataDir: string): Promise<string | undefined> => {
  const file = tokenFile(dataDir)
  if (await anyUserExists(db.read)) {
    await removeSetupToken(dataDir)
    return undefined
  }
  const token = setupTokenOf(secret)
  const present = await readFile(file, 'utf8').catch(() => '')
  // When the disk has no room for it, the token stands only in the log.
  if (present.trim() !== token) await writeFile(file, `${token}\n`, { mode: 0o600 }).catch(unlessNoRoom)
  return token
}

const unlessNoRoom = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error
}

export const removeSetupToken = (dataDir: string): Promise<void> => rm(tokenFile(dataDir), { force: true })

export interface Claim {
  readonly input: FirstAdministrator
  readonly visitor: Visitor
  /** The request comes from this very machine, and nothing says that it was passed on. */
  readonly isLocal: boolean
}

const tokenNeeded = () =>
  new AppError(
    'not_allowed',
    'Setting up needs the setup token: it stands in the log and in the file setup-token of the data directory.',
    { reason: 'setup_token_needed' },
  )

/** It creates the first administrator, once. */
export const firstRun = (context: SignInContext, { dataDir, log }: { readonly dataDir: string; readonly log: Log }) => {
  const token = setupTokenOf(context.secret)
  const oneAtATime = limitConcurrency({
    inFlightMax: 1,
    waitingMax: 1000,
    busy: 'Others are setting up. Try again in a moment.',
  })
  let wrongTries: number[] = []

  const requireToken = (given = ''): void => {
    // A caller without a token asks what is needed, and does not guess.
    if (given === '') throw tokenNeeded()
    const now = context.clock().getTime()
    wrongTries = wrongTries.filter((time) => now - time < wrongTriesMs)
    if (wrongTries.length >= wrongTriesMax) {
      const wait = Math.ceil(((wrongTries[0] ?? now) + wrongTriesMs - now) / 1000)
      throw tooManyTries(Math.max(1, wait), 'Too many wrong setup tokens.')
    }
    if (sameSecret(given, token)) return
    wrongTries.push(now)
    throw tokenNeeded()
  }

  return (claim: Claim): Promise<Welcome> =>
    oneAtATime(async () => {
      const { db, passwords, clock, activity } = context
      const { username, password, email = null, setupToken } = claim.input
      if (await anyUserExists(db.read)) throw alreadyClaimed()
      if (!claim.isLocal) requireToken(setupToken)
      requireUncommonPassword(password, username, '/password')
      const passwordHash = await passwords.hash(password)
      const { user, session } = await db.write(async (db) => {
        const { id } = await addFirstAdmin(db, { username, password, email }, passwordHash, clock())
        return { session: await openSession(db, id, claim.visitor, clock()), user: await requireUser(db, id) }
      })
      const { ip, userAgent } = claim.visitor
      activity.note({ source: 'password', ip, userAgent, userId: user.id, isRepeated: false })
      // It opens nothing any more.
      await removeSetupToken(dataDir).catch((err: unknown) =>
        log.warn({ err }, 'The file setup-token could not be removed'),
      )
      return welcome(context, user, session)
    })
}

/** `CARREL_ADMIN_*` at the first start. False when there are users already. */
export const createConfiguredAdmin = async (
  { db, passwords, clock }: Pick<SignInContext, 'db' | 'passwords' | 'clock'>,
  username: string,
  password: string,
): Promise<boolean> => {
  if (await anyUserExists(db.read)) return false
  const passwordHash = await passwords.hash(password)
  try {
    await db.write((db) => addFirstAdmin(db, { username, password, email: null }, passwordHash, clock()))
    return true
  } catch (error) {
    // Another node was first.
    if (error instanceof AppError && error.code === 'conflict') return false
    throw error
  }
}

const addFirstAdmin = async (
  db: WriteDb,
  input: { username: string; password: string; email: string | null },
  passwordHash: string,
  now: Date,
) => {
  await raiseRevision(db, 'access')
  if (await anyUserExists(db)) throw alreadyClaimed()
  return addUser(db, { ...input, role: 'admin' }, passwordHash, now)
}

const alreadyClaimed = () =>
  new AppError('conflict', 'This server has been set up already. Sign in instead.', { reason: 'set_up_already' })
