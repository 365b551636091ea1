import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtAt } from '../built-at.ts'
import { type Architecture, makeInstalled, nameElsewhere, nodeIn } from './installed.ts'
import { root } from './locked.ts'
import { versionOf } from './program.ts'

const sources = join(root, 'deploy/debian')

/** A package for Debian and what is made of it. It returns the file. */
export const packForDebian = (out: string, architecture: Architecture, version?: string): string => {
  const folder = join(out, 'deb')
  rmSync(folder, { recursive: true, force: true })
  const program = join(folder, 'usr/lib/carrel')
  makeInstalled(program, architecture)
  const made = { folder, architecture, version: version ?? `${versionOf(program)}-1` }
  placeDocuments(made)
  placeConfiguration(made)
  placeControl(made)
  withPlainRights(folder)
  const file = join(out, `carrel_${made.version}_${nameElsewhere[architecture]}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', folder, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(builtAt().getTime() / 1000) },
  })
  return file
}

interface Made {
  readonly folder: string
  readonly architecture: Architecture
  readonly version: string
}

const placeDocuments = ({ folder, version }: Made): void => {
  const program = join(folder, 'usr/lib/carrel')
  const documents = join(folder, 'usr/share/doc/carrel')
  mkdirSync(documents, { recursive: true })
  cpSync(join(sources, 'copyright'), join(documents, 'copyright'))
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(readFileSync(join(program, 'CHANGELOG.md')), { level: 9 }))
  const date = builtAt().toUTCString().replace('GMT', '+0000')
  const entry = `carrel (${version}) stable; urgency=medium\n\n  * See changelog.gz.\n\n -- Carrel authors <carrel@localhost>  ${date}\n`
  writeFileSync(join(documents, 'changelog.Debian.gz'), gzipSync(entry, { level: 9 }))
  for (const name of ['NOTICE', 'THIRD-PARTY.txt', 'sbom.cdx.json']) {
    cpSync(join(program, name), join(documents, name))
    rmSync(join(program, name))
  }
  for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md']) rmSync(join(program, name))
  const manual = join(folder, 'usr/share/man/man1')
  mkdirSync(manual, { recursive: true })
  writeFileSync(join(manual, 'carrel.1.gz'), gzipSync(readFileSync(join(sources, 'carrel.1')), { level: 9 }))
  mkdirSync(join(folder, 'usr/share/lintian/overrides'), { recursive: true })
  cpSync(join(sources, 'lintian-overrides'), join(folder, 'usr/share/lintian/overrides/carrel'))
}

const placeConfiguration = ({ folder, architecture }: Made): void => {
  for (const path of ['usr/bin', 'etc/carrel', 'usr/lib/systemd/system'])
    mkdirSync(join(folder, path), { recursive: true })
  const launcher = readFileSync(join(sources, 'carrel'), 'utf8').replace(
    '@NODE@',
    `/usr/lib/carrel/${nodeIn(architecture)}`,
  )
  writeFileSync(join(folder, 'usr/bin/carrel'), launcher)
  cpSync(join(sources, 'carrel.yaml'), join(folder, 'etc/carrel/carrel.yaml'))
  const program = join(folder, 'usr/lib/carrel/bin/carrel.cjs')
  // Here it is always started by the Node that lies beside it.
  writeFileSync(program, readFileSync(program, 'utf8').replace(/^#!.*\n/, ''))
  const unit = readFileSync(join(root, 'deploy/carrel.service'), 'utf8')
  writeFileSync(join(folder, 'usr/lib/systemd/system/carrel.service'), ofPackage(unit))
}

/** The unit of deploy/ with the places of the package. */
const ofPackage = (unit: string): string => {
  const [start, ...more] = unit.match(/^ExecStart=.*$/gm) ?? []
  if (start === undefined || more.length > 0) throw new Error('deploy/carrel.service has not one line ExecStart')
  return unit
    .replace(/^# .*\n/gm, '')
    .replace(/^\n+/, '')
    .replace(start, 'ExecStart=/usr/bin/carrel serve')
}

const placeControl = ({ folder, architecture, version }: Made): void => {
  const control = join(folder, 'DEBIAN')
  mkdirSync(control, { recursive: true })
  const installedSize = Math.ceil(filesBelow(folder).reduce((sum, file) => sum + statSync(file).size, 0) / 1024)
  const text = readFileSync(join(sources, 'control'), 'utf8')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', nameElsewhere[architecture])
    .replace('@SIZE@', String(installedSize))
  writeFileSync(join(control, 'control'), text)
  for (const name of ['conffiles', 'postinst', 'prerm', 'postrm']) cpSync(join(sources, name), join(control, name))
  const sums = filesBelow(folder)
    .filter((file) => !file.startsWith(control))
    .map((file) => `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(folder, file)}\n`)
  writeFileSync(join(control, 'md5sums'), sums.join(''))
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .sort()

/** Whatever umask this runs under, and whatever came out of packages. */
const withPlainRights = (folder: string): void => {
  chmodSync(folder, 0o755)
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name)
    if (each.isDirectory()) chmodSync(path, 0o755)
    else if (each.isFile()) chmodSync(path, isProgram(relative(folder, path)) ? 0o755 : 0o644)
  }
}

const isProgram = (path: string): boolean =>
  /^(usr\/bin\/carrel|DEBIAN\/(postinst|prerm|postrm))$|\/bin\/node$/.test(path)
