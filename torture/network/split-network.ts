import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { newId } from '../../packages/server/src/platform/ids.ts'

/** How the way between a node and the database is broken. Only the last two tell the node so. */
export const cuts = ['silent', 'requests lost', 'answers lost', 'unreachable', 'cable out'] as const
export type Cut = (typeof cuts)[number]

export interface NetworkNode {
  /** A program is begun on this node by a command that has these before it. */
  readonly enter: readonly [command: string, ...arguments_: string[]]
  /** The test reaches the node here, whatever is cut. */
  readonly address: string
  cut(kind: Cut): Promise<void>
  heal(): Promise<void>
}

export interface SplitNetwork extends AsyncDisposable {
  /** The database listens here; nodes alone have a way to it, through a router. */
  readonly databaseAddress: string
  readonly nodes: readonly NetworkNode[]
}

/** It is for tests that need networks of their own: they are skipped where none can be made, and say so where everybody sees it. */
export const requireNetworks = (skip: (note: string) => void): void => {
  const name = nameOf('probe')
  const { error, status } = spawnSync('ip', ['netns', 'add', name])
  if (!error && status === 0) {
    spawnSync('ip', ['netns', 'delete', name])
    return
  }
  const reason = error ? 'there is no ip (Debian: apt-get install iproute2)' : 'no network namespace can be made'
  const note = `NOT TESTED: networks that split, because ${reason}`
  console.warn(note)
  skip(note)
}

/** Names of this run and of no other. */
const nameOf = (name: string): string => `carrel-${process.pid}-${name}-${newId().slice(-4).toLowerCase()}`

const ip = async (command: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('ip', command.split(' '))
  return stdout
}

/** Addresses that are set aside for trials of networks (RFC 2544), so that none of the machine's own is among them. */
const databaseAddress = '198.18.0.1'

/**
 * Nodes in network namespaces of their own, and a router in another. The database and the test are in the machine's own network; each
 * node has a wire to the router, which leads to the database, and another to the test.
 */
export const startSplitNetwork = async (nodeCount: number): Promise<SplitNetwork> => {
  const router = nameOf('router')
  const names = Array.from({ length: nodeCount }, (_, index) => nameOf(`node${index + 1}`))
  const wires: string[] = []
  const dispose = async (): Promise<void> => {
    // A namespace stays for as long as anything in it: its addresses would be here beside those of the next.
    for (const wire of wires) await ip(`link delete ${wire}`).catch(() => undefined)
    for (const name of [router, ...names]) await ip(`netns delete ${name}`).catch(() => undefined)
  }
  try {
    for (const name of [router, ...names]) await ip(`netns add ${name}`)
    await promisify(execFile)('ip', ['netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
    wires.push(await joinWire({ name: router, own: 'database', address: '198.18.0.2', peerAddress: databaseAddress }))
    const nodes: NetworkNode[] = []
    for (const [index, name] of names.entries()) {
      const { wire, ...node } = await addNode({ name, router, number: index + 1 })
      wires.push(wire)
      nodes.push(node)
    }
    return { databaseAddress, nodes, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

interface Wire {
  /** The namespace of one end, and what its interface is called there. */
  readonly name: string
  readonly own: string
  readonly address: string
  readonly peerAddress: string
  /** The namespace of the other end: the machine's own where there is none. */
  readonly peer?: string
}

/** It joins two interfaces, each in its namespace, and answers what that of the peer is called. */
const joinWire = async ({ name, own, address, peerAddress, peer }: Wire): Promise<string> => {
  const peerInterface = `cw${newId().slice(-8).toLowerCase()}`
  await ip(`link add ${peerInterface} type veth peer name ${own} netns ${name}`)
  const inPeer = peer === undefined ? '' : `-n ${peer} `
  if (peer !== undefined) await ip(`link set ${peerInterface} netns ${peer}`)
  await ip(`${inPeer}address add ${peerAddress}/30 dev ${peerInterface}`)
  await ip(`${inPeer}link set ${peerInterface} up`)
  await ip(`-n ${name} address add ${address}/30 dev ${own}`)
  await ip(`-n ${name} link set ${own} up`)
  return peerInterface
}

interface NewNode {
  readonly name: string
  readonly router: string
  readonly number: number
}

const addNode = async ({ name, router, number }: NewNode): Promise<NetworkNode & { readonly wire: string }> => {
  const [own, ownRouter] = [`198.18.${number}.2`, `198.18.${number}.1`]
  const address = `198.18.${100 + number}.2`
  await ip(`-n ${name} link set lo up`)
  await joinWire({ name, own: 'database', address: own, peerAddress: ownRouter, peer: router })
  const wire = await joinWire({ name, own: 'test', address, peerAddress: `198.18.${100 + number}.1` })
  await ip(`route add ${own}/32 via 198.18.0.2`)
  const leadToDatabase = () => ip(`-n ${name} route replace ${databaseAddress}/32 via ${ownRouter}`)
  await leadToDatabase()

  const there = `from ${own} to ${databaseAddress}`
  const back = `from ${databaseAddress} to ${own}`
  let rules: string[] = []
  const addRules = async (...added: readonly string[]): Promise<void> => {
    for (const rule of added) await ip(`-n ${router} rule add ${rule} priority 100`)
    rules = [...added]
  }
  return {
    wire,
    enter: ['nsenter', `--net=/run/netns/${name}`],
    address,
    cut: async (kind) => {
      if (kind === 'silent') await addRules(`${there} blackhole`, `${back} blackhole`)
      if (kind === 'requests lost') await addRules(`${there} blackhole`)
      if (kind === 'answers lost') await addRules(`${back} blackhole`)
      if (kind === 'unreachable') await addRules(`${there} unreachable`, `${back} blackhole`)
      if (kind === 'cable out') await ip(`-n ${name} link set database down`)
    },
    heal: async () => {
      for (const rule of rules) await ip(`-n ${router} rule delete ${rule} priority 100`)
      rules = []
      await ip(`-n ${name} link set database up`)
      await leadToDatabase()
    },
  }
}
