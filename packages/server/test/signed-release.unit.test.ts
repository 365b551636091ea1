import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const script = fileURLToPath(new URL('../../../scripts/sign-release.ts', import.meta.url))
const document = fileURLToPath(new URL('../../../docs/operators/install.md', import.meta.url))

const run = (command: string, args: readonly string[], cwd: string) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (error) throw error
  return { status, stdout, stderr }
}

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'carrel-signed-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

const keyIn = async (path: string): Promise<string> => {
  const file = join(path, 'release.key')
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return file
}

/** The very lines that operators are told to type. */
const verifying = async (): Promise<readonly (readonly string[])[]> => {
  const text = await readFile(document, 'utf8')
  const block = /```sh\n(openssl pkeyutl -verify[^`]*)```/.exec(text)?.[1] ?? ''
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ *#.*$/, '').split(' '))
}

const verify = async (out: string) => {
  const lines = await verifying()
  expect(lines.map(([command]) => command)).toEqual(['openssl', 'sha256sum'])
  return lines.map(([command = '', ...args]) => run(command, args, out).status)
}

test('P-14 packages are signed so that openssl and sha256sum tell a changed one, a changed list and another key', async () => {
  const [out, keys] = [await folder(), await folder()]
  await writeFile(join(out, 'carrel_0.1.0_amd64.deb'), 'a package')
  await writeFile(join(out, 'carrel-server-0.1.0.tgz'), 'another')
  const args = ['--key', await keyIn(keys), '--out', out]

  const signed = run(process.execPath, [script, ...args], keys)
  expect(signed).toMatchObject({ status: 0, stdout: 'Signed carrel-server-0.1.0.tgz, carrel_0.1.0_amd64.deb\n' })
  expect(await verify(out)).toEqual([0, 0])
  // Once more over what is there: neither the list nor its signature is part of it.
  expect(run(process.execPath, [script, ...args], keys)).toEqual(signed)
  expect(await verify(out)).toEqual([0, 0])

  await writeFile(join(out, 'carrel-server-0.1.0.tgz'), 'changed')
  expect(await verify(out)).toEqual([0, 1])
  const list = join(out, 'SHA256SUMS')
  await writeFile(list, (await readFile(list, 'utf8')).replace(/^./, '_'))
  expect((await verify(out))[0]).toBe(1)
  run(process.execPath, [script, ...args], keys)
  const { publicKey } = generateKeyPairSync('ed25519')
  await writeFile(join(out, 'carrel-release.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  expect(await verify(out)).toEqual([1, 0])
})

test('P-14 a key that is missing, of another kind or no key signs nothing, and nothing of it is printed', async () => {
  const [out, keys] = [await folder(), await folder()]
  await writeFile(join(out, 'carrel_0.1.0_amd64.deb'), 'a package')
  const ofAnotherKind = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  await writeFile(join(keys, 'other.key'), ofAnotherKind.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(join(keys, 'none.key'), 'wombat-instead-of-a-key')

  for (const [args, status] of [
    [[], 2],
    [['--key', join(keys, 'missing.key')], 1],
    [['--key', join(keys, 'other.key')], 1],
    [['--key', join(keys, 'none.key')], 1],
  ] as const) {
    const refused = run(process.execPath, [script, ...args, '--out', out], keys)
    expect(refused).toMatchObject({ status, stdout: '' })
    expect(refused.stderr).not.toMatch(/wombat|PRIVATE KEY|^\s+at /m)
  }
  await expect(readFile(join(out, 'SHA256SUMS'))).rejects.toThrow('ENOENT')
})
