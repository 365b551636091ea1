import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const listName = 'SHA256SUMS'
const signatureName = `${listName}.sig`
const keyName = 'carrel-release.pub'
const isOurs = (name: string): boolean => [listName, signatureName, keyName].some((ours) => name.startsWith(ours))

/**
 * What it writes is checked by tools that everybody has: `openssl` for the signature of the list, `sha256sum` for the files in it. The
 * signature is over the list alone, so that no tool has to hold a whole image in its memory.
 */
export const signRelease = async (folder: string, keyFile: string): Promise<readonly string[]> => {
  const key = await readKey(keyFile)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !isOurs(entry.name)).map(({ name }) => name)
  if (names.length === 0) throw new Error(`There is nothing to sign in ${folder}: npm run package -- npm comes first.`)
  const strange = names.find((name) => !/^[\w.+~-]+$/.test(name))
  if (strange !== undefined) throw new Error(`${strange} is no name of a package.`)
  const lines: string[] = []
  for (const name of names.toSorted()) lines.push(`${await digestOf(join(folder, name))}  ${name}\n`)
  const list = lines.join('')
  await writeWhole(join(folder, signatureName), sign(null, Buffer.from(list), key))
  await writeWhole(join(folder, keyName), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
  await writeWhole(join(folder, listName), list)
  return names.toSorted()
}

const readKey = async (file: string): Promise<KeyObject> => {
  const pem = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`The key cannot be read (${error.message}).`)
  })
  let key: KeyObject | undefined
  try {
    key = createPrivateKey(pem)
  } catch {
    // What the library says of a key that it cannot read may hold parts of it.
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new Error(`${file} is no private key of ed25519 in PEM, or it has a passphrase.`)
  return key
}

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const writeWhole = async (file: string, content: string | Buffer): Promise<void> => {
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}
