import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../packages/server/test/free-port.ts'
import { fetchedBy, mirror, suite } from '../packaging/base.ts'
import { packForDebian } from '../packaging/deb.ts'
import { architectureNamed } from '../packaging/installed.ts'
import { makeLibrary, readComicAt, stillReads, until } from './comic-on-screen.ts'
import { CommandFailed, run, type Started, start } from './running.ts'
import type { Way } from './way.ts'

/** A Debian of its own, with systemd as its first process, that knows nothing but what a fresh machine has. */
export const debianWay: Way = {
  name: 'deb',
  needs: ['debootstrap', 'systemd-nspawn', 'nsenter', 'dpkg-deb', 'tar'],
  make: async (out) => packForDebian(out, architectureNamed(process.arch)),
  tryOut: async (file, folder, step) => {
    const machine = join(folder, 'machine')
    unpackMachine(machine)
    const port = await freePort()
    prepare({ machine, file, port })
    await using booted = start('systemd-nspawn', [
      '--quiet',
      `--directory=${machine}`,
      '--register=no',
      '--keep-unit',
      '--boot',
      '--console=read-only',
    ])
    const inside = insideOf(booted)
    await until('the machine to be up', async () =>
      /running|degraded/.test(attempt(inside, 'systemctl', 'is-system-running')),
    )
    step('a machine is up')
    inside('dpkg', '--install', '/root/carrel.deb')
    step('installed')
    requireLine(inside('ls', '/usr/lib/carrel/dist/compiled'), /^serve-.*\.bin$/m)
    const reader = await readComicAt(`http://127.0.0.1:${port}`, '/srv/comics')
    step('a comic on the screen')
    inside('systemctl', 'reload', 'carrel')
    requireLine(inside('carrel', 'doctor'), /^ok +plugins +Plugins are shut in/m)
    inside('systemctl', 'restart', 'carrel')
    requireLine(inside('systemctl', 'show', 'carrel', '--property=Result'), /^Result=success$/m)
    inside('dpkg', '--install', '/root/carrel.deb')
    await stillReads(reader)
    step('installed over itself, as an update is: all is there')
    inside('dpkg', '--remove', 'carrel')
    if (!existsSync(join(machine, 'var/lib/carrel/carrel.db'))) throw new Error('A removal has taken the data away')
    if (attempt(inside, 'systemctl', 'is-active', 'carrel') === 'active') throw new Error('It runs after its removal')
    inside('dpkg', '--purge', 'carrel')
    const left = ['var/lib/carrel', 'etc/carrel', 'usr/lib/carrel', 'usr/bin/carrel'].filter((path) =>
      existsSync(join(machine, path)),
    )
    if (left.length > 0) throw new Error(`A purge has left ${left.join(', ')}`)
    step('removed and purged')
    await booted.stop()
  },
}

const included = ['systemd', 'systemd-sysv', 'dbus', 'adduser', 'bubblewrap', 'init-system-helpers', 'libstdc++6']

/** Made once, and unpacked for each try. */
const unpackMachine = (machine: string): void => {
  const packed = fetchedBy('machine', (folder) => {
    const made = join(folder, 'made')
    run('debootstrap', ['--variant=minbase', `--include=${included.join(',')}`, suite, made, mirror()])
    run('tar', ['--create', '--file', join(folder, 'machine.tar'), '--directory', made, '.'])
    run('rm', ['-rf', made])
  })
  mkdirSync(machine)
  run('tar', ['--extract', '--file', join(packed, 'machine.tar'), '--directory', machine])
}

interface Prepared {
  readonly machine: string
  readonly file: string
  readonly port: number
}

/** It has the network of this machine: the port is one that is free here. */
const prepare = ({ machine, file, port }: Prepared): void => {
  cpSync(file, join(machine, 'root/carrel.deb'))
  makeLibrary(join(machine, 'srv/comics'))
  const settings = join(machine, 'etc/systemd/system/carrel.service.d')
  mkdirSync(settings, { recursive: true })
  writeFileSync(join(settings, 'port.conf'), `[Service]\nEnvironment=CARREL_PORT=${port}\n`)
}

type Inside = (...command: readonly string[]) => string

const insideOf = ({ child, output }: Started): Inside => {
  return (...command) => {
    const [first = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')
    if (first === '') throw new Error(`The machine does not start:\n${output()}`)
    return run('nsenter', ['--target', first, '--all', ...command])
  }
}

/** What it says, also when it fails. */
const attempt = (inside: Inside, ...command: readonly string[]): string => {
  try {
    return inside(...command).trim()
  } catch (error) {
    return error instanceof CommandFailed ? error.stdout.trim() : ''
  }
}

const requireLine = (text: string, line: RegExp): void => {
  if (!line.test(text)) throw new Error(`Expected ${line.source} in:\n${text}`)
}
