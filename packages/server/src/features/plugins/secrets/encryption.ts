import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, sha256 } from '../../../platform/secrets/tokens.ts'

/** The secret of the installation, and the one before it where that is still known. */
export interface Secrets {
  readonly secret: string
  readonly formerSecret: string | undefined
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

const purpose = 'what plugins are trusted with'

const keyOf = (secret: string): Key => {
  const bytes = deriveKey(secret, purpose)
  return { bytes, id: sha256(bytes.toString('hex')).slice(0, 8) }
}

/** AES-256-GCM, under a key that is derived from the secret of the installation; which one stands before it. */
export const encrypt = ({ secret }: Secrets, value: unknown): string => {
  const { id, bytes } = keyOf(secret)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final(), cipher.getAuthTag()])
  return ['1', id, nonce.toString('base64url'), encrypted.toString('base64url')].join('.')
}

const tagBytes = 16

/** Undefined: it was encrypted under a secret that nobody here knows any more, or has been changed since. */
export const decrypt = ({ secret, formerSecret }: Secrets, text: string): unknown => {
  const [, id, nonce = '', encrypted = ''] = text.split('.')
  const keys = [secret, formerSecret].flatMap((each) => (each === undefined ? [] : [keyOf(each)]))
  const key = keys.find((each) => each.id === id)
  if (!key) return undefined
  const bytes = Buffer.from(encrypted, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The text is encrypted with the present secret. */
export const isReencrypted = ({ secret }: Secrets, text: string): boolean => text.split('.')[1] === keyOf(secret).id
