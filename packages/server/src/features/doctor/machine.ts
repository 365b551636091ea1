import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import type { Readiness } from '@carrel/api'
import { type Config, isLoopback } from '../../config.ts'
import { openDecoders } from '../../decoders/pool.ts'
import type { Log } from '../../platform/log.ts'
import { fullCost, passwordHashing } from '../../platform/secrets/password-hash.ts'
import { machineTimeZone } from '../../platform/time-zone.ts'
import { findMeans } from '../../plugins/isolation.ts'
import { failed, type Finding, ok, warning } from './finding.ts'

const oldestNode = [22, 22] as const

export const examineNode = (version = process.versions.node): Finding => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  return isOld
    ? failed('node', `This is Node ${version}.`, `Install Node ${oldestNode.join('.')} or newer.`)
    : ok('node', `Node ${version} runs it.`)
}

/** Far enough that no two machines differ by it by chance. */
const aheadMs = 5 * 60 * 1000
const earliest = Date.parse('2026-01-01T00:00:00Z')

export const examineClock = (newestTimes: readonly string[], now: Date): Finding => {
  const zone = machineTimeZone()
  const message = `It is ${now.toISOString()}, time zone ${zone ?? 'unknown'}.`
  const advice = 'See to the clock of this machine (NTP). Schedules and sessions go by it.'
  if (now.getTime() < earliest) return failed('clock', `${message} That is long ago.`, advice)
  const newest = newestTimes.toSorted().at(-1)
  if (newest !== undefined && Date.parse(newest) > now.getTime() + aheadMs)
    return warning(
      'clock',
      `${message} The database knows of ${newest}, which is still to come: a clock is or was wrong.`,
      advice,
    )
  if (zone === undefined)
    return warning(
      'clock',
      `${message} Schedules go by UTC.`,
      'Set TZ to a time zone such as Europe/Berlin, or remove it.',
    )
  return ok('clock', message)
}

export const examineProxy = ({ publicUrl, trustedProxies, host }: Config): Finding => {
  const check = 'public address'
  const all = trustedProxies.filter((range) => range.endsWith('/0'))
  if (all.length > 0)
    return warning(
      check,
      `CARREL_TRUSTED_PROXIES trusts everybody (${all.join(', ')}): any client can claim any address.`,
      'Name the addresses of your proxies only.',
    )
  if (publicUrl?.protocol === 'https:' && trustedProxies.length === 0)
    return warning(
      check,
      `${publicUrl.href} is https, so there is a proxy before Carrel, but CARREL_TRUSTED_PROXIES is empty: all clients count as one.`,
      'Set it to the address of the proxy.',
    )
  if (publicUrl?.protocol === 'http:' && !isLoopback(publicUrl.hostname))
    return warning(
      check,
      `${publicUrl.href} is not encrypted: passwords can be read on the way.`,
      'Put a proxy with https before it.',
    )
  if (publicUrl === undefined && trustedProxies.length > 0)
    return warning(
      check,
      'There are trusted proxies, but no CARREL_PUBLIC_URL.',
      'Set it to the address that people type.',
    )
  return ok(check, publicUrl ? publicUrl.href : `Reached as ${host}, without a proxy.`)
}

export const examinePluginSandbox = async ({ pluginSandbox }: Config): Promise<Finding> => {
  const check = 'plugins'
  if (pluginSandbox === 'none')
    return warning(
      check,
      'CARREL_PLUGIN_BOX is none: plugins are not shut in.',
      'Set it to auto, unless you trust every plugin.',
    )
  const { bwrap, namespaces } = await findMeans(pluginSandbox)
  if (bwrap !== undefined) return ok(check, 'Plugins are shut in by bubblewrap.')
  if (namespaces !== undefined) return ok(check, 'Plugins are shut in by namespaces of the kernel.')
  return warning(
    check,
    'Neither bubblewrap nor user namespaces work here: plugins are held by Node alone, and reach the network.',
    'Install bubblewrap, or allow user namespaces (in a container: see docs/operators/plugins.md).',
  )
}

/** A picture of one point. */
const tinyPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)
const libraries = ['7z-wasm', '@hyzyla/pdfium'] as const
const require = createRequire(import.meta.url)

export const examineDecoders = async (log: Log): Promise<Finding> => {
  const check = 'decoders'
  const advice = 'Install Carrel anew on this machine (npm ci): libraries of another system came along.'
  const decoders = openDecoders({ log, size: 1 })
  try {
    await decoders.run('cover', { bytes: tinyPicture, sizes: { edge: 16, quality: 80 } }, { silenceMaxMs: 20_000 })
    for (const name of libraries) require.resolve(name)
    await passwordHashing(fullCost).verify(undefined, 'nothing')
    return ok(check, 'Pictures, archives and PDF files can be opened, and passwords checked.')
  } catch (error) {
    return failed(check, `A library does not work here (${(error as Error).message}).`, advice)
  } finally {
    await decoders.close()
  }
}

const answersWithinMs = 5000

export const examinePort = async (config: Config): Promise<Finding> => {
  const { host, port } = config
  const check = 'port'
  const code = await tryToListen(host, port)
  if (code === undefined) return ok(check, `${host}:${port} is free; no server is running here.`)
  if (code !== 'EADDRINUSE')
    return failed(
      check,
      `${host}:${port} cannot be used (${code}).`,
      'Set CARREL_HOST to an address of this machine, and CARREL_PORT to 1024 or more.',
    )
  const base = `http://${connectable(host)}:${port}`
  const health = await ask(`${base}/health`)
  if (health === undefined)
    return failed(
      check,
      `${host}:${port} is taken by another program, or by a server that does not answer.`,
      'Stop that one, or set CARREL_PORT.',
    )
  const ready = (await ask(`${base}/health/ready`)) as Partial<Readiness> | undefined
  const troubles = Object.entries(ready?.checks ?? {}).filter(([, { status }]) => status !== 'ok')
  if (ready?.status === 'ok') return ok(check, `A server is running on ${host}:${port} and is ready.`)
  return failed(
    check,
    `A server is running on ${host}:${port} and is not ready: ${troubles.map(([name, { message = '' }]) => `${name}: ${message}`).join(' ') || 'no answer.'}`,
    'Its log says more.',
  )
}

const tryToListen = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

const connectable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

const ask = async (url: string): Promise<unknown> => {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(answersWithinMs) })
    const body: unknown = await reply.json()
    return typeof body === 'object' && body !== null && 'status' in body ? body : undefined
  } catch {
    return undefined
  }
}
