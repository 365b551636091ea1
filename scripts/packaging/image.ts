import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtAt } from '../built-at.ts'
import { makeBase } from './base.ts'
import { type Architecture, makeInstalled, nameElsewhere, nodeIn } from './installed.ts'
import { versionOf } from './program.ts'

export const userId = 10_001

/** The file system of a container, which needs nothing from any registry of images. */
export const makeRootOfImage = (folder: string, architecture: Architecture): void => {
  makeBase(folder, architecture)
  const program = join(folder, 'app')
  makeInstalled(program, architecture)
  if (architecture === process.arch) compileAhead(program, architecture)
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true })
  renameSync(join(program, nodeIn(architecture)), join(folder, 'usr/local/bin/node'))
  rmSync(join(program, `node_modules/node-linux-${architecture}/bin`), { recursive: true })
  symlinkSync('/app/bin/carrel.cjs', join(folder, 'usr/local/bin/carrel'))
  writeFileSync(join(program, 'is-healthy.cjs'), `${healthCheck}\n`)
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  chownSync(join(folder, 'data'), userId, userId)
  chmodSync(join(folder, 'tmp'), 0o1777)
}

/** In a container nothing can be kept of what a start has compiled. Another kind of machine compiles at each start. */
const compileAhead = (program: string, architecture: Architecture): void => {
  const [node, script] = [join(program, nodeIn(architecture)), join(program, 'bin/compile-ahead.cjs')]
  execFileSync(node, [script], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The same question as in deploy/Containerfile. */
const healthCheck =
  'fetch(`http://127.0.0.1:${process.env.CARREL_PORT || 8080}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'

/** An image as `podman load` and `docker load` take it. It returns the file. */
export const makeImage = (out: string, architecture: Architecture): string => {
  const folder = join(out, `image-${architecture}`)
  makeRootOfImage(folder, architecture)
  const version = versionOf(join(folder, 'app'))
  const file = join(out, `carrel-${version}-${nameElsewhere[architecture]}.image.tar`)
  rmSync(file, { force: true })
  const container = buildah('from', '--format=docker', '--arch', nameElsewhere[architecture], 'scratch')
  try {
    buildah('add', '--quiet', container, packed(folder), '/')
    buildah('config', ...configurationOf(version), container)
    const timestamp = `--timestamp=${builtAt().getTime() / 1000}`
    buildah('commit', '--quiet', '--format=docker', timestamp, container, `docker-archive:${file}:carrel:${version}`)
  } finally {
    buildah('rm', container)
  }
  return file
}

/** An archive keeps who owns what; a folder that is copied belongs to root. */
const packed = (folder: string): string => {
  const file = `${folder}.tar`
  const same = ['--sort=name', '--numeric-owner', `--mtime=@${builtAt().getTime() / 1000}`]
  execFileSync('tar', ['--create', ...same, '--file', file, '--directory', folder, '.'])
  return file
}

const configurationOf = (version: string): readonly string[] => [
  '--user=10001:10001',
  '--workingdir=/app',
  '--port=8080',
  '--volume=/data',
  '--env=PATH=/usr/local/bin:/usr/bin:/bin',
  '--env=CARREL_HOST=0.0.0.0',
  '--env=CARREL_DATA_DIR=/data',
  '--entrypoint=["node","bin/carrel.cjs"]',
  '--cmd=["serve"]',
  // buildah parts it at each space.
  '--healthcheck=CMD node /app/is-healthy.cjs',
  '--healthcheck-interval=30s',
  '--healthcheck-timeout=5s',
  '--healthcheck-start-period=30s',
  '--label=org.opencontainers.image.title=Carrel',
  `--label=org.opencontainers.image.version=${version}`,
  '--label=org.opencontainers.image.licenses=Apache-2.0',
]

/** Files are copied, not laid over each other: that works in a container and on any disk too. */
const buildah = (...args: readonly string[]): string =>
  execFileSync('buildah', ['--storage-driver=vfs', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
  }).trim()
