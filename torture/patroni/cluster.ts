import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderInMemory } from '../../packages/server/test/folder-in-memory.ts'
import { freePort } from '../../packages/server/test/free-port.ts'
import { waitUntil } from '../../packages/server/test/smoke/wait-until.ts'

const password = 'only-for-tests'

/**
 * A node that is gone with its Patroni is missed when its lease has ended. From some version on Patroni takes no less than 20; those
 * need a limit of their own.
 */
const leaseSeconds = 10

export interface PatroniCluster extends AsyncDisposable {
  /** The address of the proxy, which leads to the server that takes changes. */
  readonly url: string
  /** The address of the proxy that leads to those that follow. */
  readonly followersUrl: string
  primary(): Promise<string>
  /** `kill -9` of PostgreSQL alone, or of all that runs on that node. */
  kill(node: string, what: 'postgres' | 'node'): Promise<void>
  restart(node: string): Promise<void>
  switchOver(from: string): Promise<void>
  /** It resolves when one leads and the two others follow it, one of them synchronously. */
  whole(): Promise<void>
}

/** It is for tests that need Patroni: they are skipped where something is missing, and say so where everybody sees it. */
export const requirePatroni = async (skip: (note: string) => void): Promise<void> => {
  const missing = ['patroni', 'etcd', 'haproxy'].filter((name) => spawnSync(name, ['--version']).error)
  if ((await postgresPrograms()) === undefined) missing.push('postgresql')
  if (missing.length === 0) return
  const note = `NOT TESTED: Patroni, because there is no ${missing.join(', ')} (Debian: apt-get install patroni etcd-server haproxy postgresql)`
  console.warn(note)
  skip(note)
}

const debianFolder = '/usr/lib/postgresql'

/** Where the programs of the newest PostgreSQL of this machine are. */
const postgresPrograms = async (): Promise<string | undefined> => {
  const versions = await readdir(debianFolder).catch(() => [])
  const [newest] = versions.map(Number).toSorted((one, other) => other - one)
  return newest === undefined ? undefined : join(debianFolder, String(newest), 'bin')
}

interface Node {
  readonly name: string
  readonly ports: { readonly postgres: number; readonly api: number }
  readonly folder: string
  readonly configFile: string
  patroni: ChildProcess | undefined
}

/** Three PostgreSQL under Patroni, of which one waits for another with each commit; etcd, and HAProxy before them. */
export const startPatroniCluster = async (): Promise<PatroniCluster> => {
  const folder = await mkdtemp(join(await folderInMemory(), 'carrel-patroni-'))
  const account = postgresAccount()
  await give(folder, account)
  const running: ChildProcess[] = []
  const begin = (command: string, args: readonly string[]): ChildProcess => {
    const child = spawn(command, args, { ...account, cwd: folder, stdio: 'ignore' })
    running.push(child)
    return child
  }
  const nodes: Node[] = []
  const stop = async (): Promise<void> => {
    for (const node of nodes) await killNode(node)
    for (const child of running) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const etcdPort = await startEtcd(folder, begin)
    for (const name of ['one', 'two', 'three']) nodes.push(await prepareNode({ folder, name, etcdPort, account }))
    const run = (node: Node): void => {
      node.patroni = begin('patroni', [node.configFile])
    }
    for (const node of nodes) run(node)
    const nodeCalled = (name: string): Node => {
      const match = nodes.find((node) => node.name === name)
      if (!match) throw new Error(`There is no node ${name}`)
      return match
    }
    const ports = await startHaproxy(folder, nodes, begin)
    await waitUntil('three nodes, one of which leads', () => isWhole(nodes))
    const urlOf = (port: number) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    return {
      url: urlOf(ports.primary),
      followersUrl: urlOf(ports.followers),
      primary: () =>
        waitUntil('a node to lead', async () => {
          const members = await membersAt(nodes)
          return members.find(({ role, state }) => role === 'leader' && state === 'running')?.name
        }),
      kill: async (name, what) => {
        const node = nodeCalled(name)
        if (what === 'node') await killNode(node)
        else await killPostgres(node)
      },
      restart: async (name) => {
        const node = nodeCalled(name)
        if (node.patroni && node.patroni.exitCode === null && node.patroni.signalCode === null) return
        run(node)
      },
      switchOver: async (leader) => {
        const { status } = await fetch(`http://127.0.0.1:${nodeCalled(leader).ports.api}/switchover`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ leader }),
        })
        if (status !== 200) throw new Error(`Patroni refused to hand over: ${status}`)
      },
      whole: async () => {
        await waitUntil('all nodes to follow the one that leads', () => isWhole(nodes))
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root. */
const postgresAccount = (): Account => {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString())
  return { uid: idOf('-u'), gid: idOf('-g') }
}

const give = async (path: string, { uid, gid }: Account): Promise<void> => {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

type Begin = (command: string, args: readonly string[]) => ChildProcess

const startEtcd = async (folder: string, begin: Begin): Promise<number> => {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const flags = {
    name: 'etcd',
    'data-dir': join(folder, 'etcd'),
    'initial-cluster': `etcd=${peerUrl}`,
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
  }
  begin(
    'etcd',
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
  )
  await waitUntil('etcd to answer', () => isHealthy(`${url}/health`))
  return port
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

const prepareNode = async ({
  folder,
  name,
  etcdPort,
  account,
}: {
  readonly folder: string
  readonly name: string
  readonly etcdPort: number
  readonly account: Account
}): Promise<Node> => {
  const ports = { postgres: await freePort(), api: await freePort() }
  const own = join(folder, name)
  await mkdir(own, { mode: 0o700 })
  await give(own, account)
  const configFile = join(own, 'patroni.json')
  const user = (username: string) => ({ username, password })
  // JSON is YAML too.
  const config = {
    scope: 'carrel',
    name,
    restapi: { listen: `127.0.0.1:${ports.api}`, connect_address: `127.0.0.1:${ports.api}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: leaseSeconds,
        loop_wait: 2,
        retry_timeout: 3,
        // A primary that has died is not started again by its Patroni: another one takes over.
        primary_start_timeout: 0,
        master_start_timeout: 0,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, wal_level: 'replica', synchronous_commit: 'on', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: `127.0.0.1:${ports.postgres}`,
      data_dir: join(own, 'data'),
      bin_dir: await postgresPrograms(),
      pgpass: join(own, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('follower'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: own },
    },
  }
  await writeFile(configFile, JSON.stringify(config))
  await chmod(configFile, 0o644)
  return { name, ports, folder: own, configFile, patroni: undefined }
}

const startHaproxy = async (
  folder: string,
  nodes: readonly Node[],
  begin: Begin,
): Promise<{ readonly primary: number; readonly followers: number }> => {
  const ports = { primary: await freePort(), followers: await freePort() }
  const listen = (name: string, port: number, question: string): string =>
    [
      `listen ${name}`,
      `  bind 127.0.0.1:${port}`,
      `  option httpchk GET ${question}`,
      '  http-check expect status 200',
      '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
      ...nodes.map(
        (node) => `  server ${node.name} 127.0.0.1:${node.ports.postgres} maxconn 200 check port ${node.ports.api}`,
      ),
    ].join('\n')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
${listen('primary', ports.primary, '/primary')}
${listen('followers', ports.followers, '/replica')}
`,
  )
  begin('haproxy', ['-db', '-f', file])
  return ports
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** It asks whichever node answers who belongs to the cluster. */
const membersAt = async (nodes: readonly Node[]): Promise<readonly Member[]> => {
  for (const { ports } of nodes) {
    const answer = await fetch(`http://127.0.0.1:${ports.api}/cluster`, { signal: AbortSignal.timeout(2000) }).catch(
      () => undefined,
    )
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
  }
  return []
}

const isWhole = async (nodes: readonly Node[]): Promise<boolean> => {
  const members = await membersAt(nodes)
  const having = (role: string) =>
    members.filter((member) => member.role === role && ['running', 'streaming'].includes(member.state)).length
  return having('leader') === 1 && having('sync_standby') === 1 && having('replica') === 1
}

const killPostgres = async ({ folder }: Node): Promise<void> => {
  const [pid = ''] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  if (pid !== '') kill(Number(pid))
}

const killNode = async (node: Node): Promise<void> => {
  node.patroni?.kill('SIGKILL')
  await killPostgres(node)
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
