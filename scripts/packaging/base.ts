import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Architecture, nameElsewhere } from './installed.ts'
import { root } from './locked.ts'

export const suite = 'bookworm'

/** What Node and the box of plugins need, and a shell, which begins each plugin; no package manager, no interpreter but Node. */
const packageNames = [
  'base-files',
  'bubblewrap',
  'ca-certificates',
  'coreutils',
  'dash',
  'gcc-12-base',
  'grep',
  'libacl1',
  'libattr1',
  'libblkid1',
  'libc6',
  'libcap-ng0',
  'libcap2',
  'libcrypt1',
  'libgcc-s1',
  'libgmp10',
  'libmount1',
  'libpcre2-8-0',
  'libselinux1',
  'libsmartcols1',
  'libstdc++6',
  'libtinfo6',
  'libudev1',
  'libuuid1',
  'mount',
  'tzdata',
  'util-linux',
  'zlib1g',
]
const unread = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/lintian',
  'usr/share/bash-completion',
  'usr/share/info',
]

/**
 * The smallest Debian that runs Carrel. debootstrap fetches the packages and checks their signatures; they are unpacked and none of
 * their scripts run, so that a base for another processor is made here too.
 */
export const makeBase = (folder: string, architecture: Architecture): void => {
  const archives = fetchPackages(architecture)
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['bin', 'sbin', 'lib', ...(architecture === 'x64' ? ['lib64'] : [])]) {
    mkdirSync(join(folder, 'usr', name), { recursive: true })
    symlinkSync(`usr/${name}`, join(folder, name))
  }
  const statusFolder = join(folder, 'var/lib/dpkg/status.d')
  mkdirSync(statusFolder, { recursive: true })
  for (const name of packageNames) {
    const archive = archives.find((file) => file.includes(`/${name}_`))
    if (archive === undefined) throw new Error(`debootstrap has not fetched ${name}`)
    const unpack = 'dpkg-deb --fsys-tarfile "$1" | tar --extract --keep-directory-symlink --directory "$2"'
    execFileSync('/bin/sh', ['-c', unpack, 'sh', archive, folder])
    // Whoever looks for holes in an image reads there what is in it.
    writeFileSync(join(statusFolder, name), execFileSync('dpkg-deb', ['--field', archive]))
  }
  for (const path of unread) rmSync(join(folder, path), { recursive: true, force: true })
  finish(folder)
}

/** What scripts of the packages would have done. */
const finish = (folder: string): void => {
  if (!existsSync(join(folder, 'usr/bin/sh'))) symlinkSync('dash', join(folder, 'usr/bin/sh'))
  writeFileSync(
    join(folder, 'etc/passwd'),
    'root:x:0:0:root:/root:/usr/sbin/nologin\ncarrel:x:10001:10001:Carrel:/data:/usr/sbin/nologin\n',
  )
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\ncarrel:x:10001:\n')
  writeFileSync(join(folder, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n')
  const certificates = join(folder, 'usr/share/ca-certificates/mozilla')
  const all = readdirSync(certificates)
    .sort()
    .map((name) => readFileSync(join(certificates, name), 'utf8'))
  mkdirSync(join(folder, 'etc/ssl/certs'), { recursive: true })
  writeFileSync(join(folder, 'etc/ssl/certs/ca-certificates.crt'), all.join(''))
  symlinkSync('/usr/share/zoneinfo/Etc/UTC', join(folder, 'etc/localtime'))
}

/** debootstrap checks their signatures. */
const fetchPackages = (architecture: Architecture): readonly string[] => {
  const options = ['--variant=minbase', '--download-only', `--arch=${nameElsewhere[architecture]}`]
  const fetched = fetchedBy(architecture, (folder) => {
    execFileSync('debootstrap', [...options, `--include=${packageNames.join(',')}`, suite, folder, mirror()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  })
  const archives = join(fetched, 'var/cache/apt/archives')
  return readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(archives, name))
}

/** It could not be had now: nothing is said about what is made of it. */
export class NotFetched extends Error {
  override readonly name = 'NotFetched'
}

/** A folder that is filled once: a second build has what the first has fetched. */
export const fetchedBy = (name: string, fill: (folder: string) => void): string => {
  const folder = join(root, 'node_modules/.cache/carrel-base', name)
  if (existsSync(join(folder, 'fetched'))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    fill(folder)
  } catch (cause) {
    throw new NotFetched(`packages of Debian could not be fetched: ${(cause as Error).message}`, { cause })
  }
  writeFileSync(join(folder, 'fetched'), '')
  return folder
}

/** The one that this machine takes its own packages from, unless another is named. */
export const mirror = (): string => {
  const named = process.env['DEBIAN_MIRROR']
  if (named !== undefined) return named
  const format = ['indextargets', '--format', '$(CODENAME) $(REPO_URI)', 'Identifier: Packages', 'Component: main']
  const lines = execFileSync('apt-get', format, { encoding: 'utf8' }).split('\n')
  const value = lines.find((line) => line.startsWith(`${suite} `))?.slice(suite.length + 1)
  if (value === undefined) throw new Error(`This machine takes no packages of ${suite}: name a mirror in DEBIAN_MIRROR`)
  return value
}
