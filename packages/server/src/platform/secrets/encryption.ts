import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, sha256 } from './tokens.ts'

/** The secret of the installation, and the one before it where that is still known. */
export interface Secrets {
  readonly secret: string
  readonly formerSecret: string | undefined
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

export interface Encryption {
  encrypt(secrets: Secrets, value: unknown): string
  /** Undefined: it was encrypted under a secret that nobody here knows any more, or has been changed since. */
  decrypt(secrets: Secrets, text: string): unknown
  /** The text is encrypted with the present secret. */
  isReencrypted(secrets: Secrets, text: string): boolean
}

const tagBytes = 16

/** AES-256-GCM, under a key that is derived from the secret of the installation for this purpose; which one stands before the text. */
export const encryptionFor = (purpose: string): Encryption => {
  const keyOf = (secret: string): Key => {
    const bytes = deriveKey(secret, purpose)
    return { bytes, id: sha256(bytes.toString('hex')).slice(0, 8) }
  }
  return {
    encrypt: ({ secret }, value) => encrypted(keyOf(secret), value),
    decrypt: ({ secret, formerSecret }, text) => {
      const keys = [secret, formerSecret].flatMap((each) => (each === undefined ? [] : [keyOf(each)]))
      const key = keys.find(({ id }) => id === text.split('.')[1])
      return key && decrypted(key, text)
    },
    isReencrypted: ({ secret }, text) => text.split('.')[1] === keyOf(secret).id,
  }
}

const encrypted = ({ id, bytes }: Key, value: unknown): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final(), cipher.getAuthTag()])
  return ['1', id, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
}

const decrypted = (key: Key, text: string): unknown => {
  const [, , nonce = '', sealed = ''] = text.split('.')
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return undefined
  }
}
