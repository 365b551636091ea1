import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '../limits.ts'

export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
}

export const fullCost: PasswordCost = { memoryKib: 19_456, passes: 2 }

export interface PasswordHashing {
  hash(password: string): Promise<string>
  /**
   * Without a stored hash it does the same work and answers false, so that the time taken does not reveal which users
   * exist.
   */
  verify(stored: string | null | undefined, password: string): Promise<boolean>
}

/** Argon2id; each hash takes 19 MiB and a core for 10 ms, so only two run at once. */
export const passwordHashing = ({ memoryKib, passes }: PasswordCost): PasswordHashing => {
  const options = { memoryCost: memoryKib, timeCost: passes, parallelism: 1 }
  const limited = limitConcurrency({
    inFlightMax: 2,
    waitingMax: 32,
    busy: 'Too many sign-ins at once. Try again in a moment.',
  })
  const decoy = hash('the password of nobody', options)
  // Nothing waits for it until somebody signs in; a failure shows there.
  decoy.catch(() => undefined)

  return {
    hash: (password) => limited(() => hash(normalise(password), options)),
    verify: (stored, password) =>
      limited(async () => {
        const matches = await verify(stored ?? (await decoy), normalise(password))
        return matches && stored != null
      }),
  }
}

/** The same characters typed on another keyboard are the same password. */
const normalise = (password: string): string => password.normalize('NFKC')
