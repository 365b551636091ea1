import { readFileSync } from 'node:fs'
import { isIP, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The columns of the kernel's table of connections. */
const columns = { ours: 1, theirs: 2, inode: 9 }

const portIn = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16)

/** The ports of those whose connections a server on this machine has open: what it has closed belongs to no process any more. */
const portsHeldBy = (url: string): ReadonlySet<number> => {
  const { port, hostname } = new URL(url)
  const file = isIP(hostname.replace(/^\[|\]$/g, '')) === 6 ? '/proc/net/tcp6' : '/proc/net/tcp'
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
  const held = lines
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => portIn(fields[columns.ours]) === Number(port) && fields[columns.inode] !== '0')
  return new Set(held.map((fields) => portIn(fields[columns.theirs])))
}

/** A client that reads nothing is not told of the end of its connection: the server's side of it is looked at. */
export const heldBy = (url: string, clients: readonly Socket[]): readonly Socket[] => {
  const ports = portsHeldBy(url)
  return clients.filter(({ localPort }) => localPort !== undefined && ports.has(localPort))
}

/** It waits longer than other tests do: what is idle is ended after two minutes. It returns how long that took, in seconds. */
export const secondsUntilLetGo = async (url: string, clients: readonly Socket[]): Promise<number> => {
  const startedAt = performance.now()
  while (heldBy(url, clients).length > 0) await delay(500)
  return (performance.now() - startedAt) / 1000
}
