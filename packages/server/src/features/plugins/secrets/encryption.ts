import { encryptionFor } from '../../../platform/secrets/encryption.ts'

export type { Secrets } from '../../../platform/secrets/encryption.ts'

export const { encrypt, decrypt, isReencrypted } = encryptionFor('what plugins are trusted with')
