import { createHash } from 'node:crypto'

/** The oldest way to encrypt a PDF: RC4 with 40 bits (version 1, revision 2). For tests only. */
export interface PdfEncryption {
  /** Wanted to open the file; empty when anyone may. */
  readonly userPassword: string
  readonly ownerPassword: string
}

export type Encrypt = (bytes: Buffer) => Buffer

export interface CipherKey {
  readonly dictionary: string
  readonly fileId: string
  encryptObject(number: number): Encrypt
}

/** A password is filled up with this to 32 bytes. */
const filling = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const fileId = '00112233445566778899aabbccddeeff'
/** Everything but changing it. */
const permissions = -44
const keyBytes = 5

export const createCipherKey = ({ userPassword, ownerPassword }: PdfEncryption): CipherKey => {
  const ownerEntry = rc4(md5(filled(ownerPassword)).subarray(0, keyBytes), filled(userPassword))
  const permissionBytes = Buffer.alloc(4)
  permissionBytes.writeInt32LE(permissions)
  const key = md5(filled(userPassword), ownerEntry, permissionBytes, Buffer.from(fileId, 'hex')).subarray(0, keyBytes)
  const userEntry = rc4(key, filling)
  return {
    fileId,
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${ownerEntry.toString('hex')}> /U <${userEntry.toString('hex')}> /P ${permissions} >>`,
    encryptObject: (number) => {
      const objectNumber = Buffer.from([number, number >> 8, number >> 16, 0, 0])
      const objectKey = md5(key, objectNumber).subarray(0, keyBytes + 5)
      return (bytes) => rc4(objectKey, bytes)
    },
  }
}

const filled = (password: string): Buffer => Buffer.concat([Buffer.from(password, 'latin1'), filling]).subarray(0, 32)

const md5 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const rc4 = (key: Buffer, bytes: Buffer): Buffer => {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number): number => state[index & 255] ?? 0
  const swap = (a: number, b: number): void => {
    const first = at(a)
    state[a & 255] = at(b)
    state[b & 255] = first
  }
  let other = 0
  for (let index = 0; index < 256; index += 1) {
    other = (other + at(index) + (key[index % key.length] ?? 0)) & 255
    swap(index, other)
  }
  other = 0
  return Buffer.from(
    bytes.map((byte, position) => {
      const index = (position + 1) & 255
      other = (other + at(index)) & 255
      swap(index, other)
      return byte ^ at(at(index) + at(other))
    }),
  )
}
