import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Published {
  readonly name: string
  readonly version: string
  readonly files: Readonly<Record<string, string>>
  readonly manifest: object
}

/** A registry with one package in it, as npm asks for it. */
export const startRegistry = async (published: Published) => {
  const { name, version, manifest } = published
  const tarball = pack(published)
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (request.url === `/${name}.tgz`) return void response.end(tarball)
    if (request.url !== `/${name}`) return void response.writeHead(404).end('{"error":"not found"}')
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const dist = { tarball: `${url}/${name}.tgz`, integrity }
    const versions = { [version]: { name, version, ...manifest, dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const pack = ({ name, version, files, manifest }: Published): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-registry-'))
  try {
    mkdirSync(join(folder, 'package'))
    const all = { ...files, 'package.json': JSON.stringify({ name, version, ...manifest }) }
    for (const [path, content] of Object.entries(all)) writeFileSync(join(folder, 'package', path), content)
    execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
    return readFileSync(join(folder, 'package.tgz'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
