import * as api from '@carrel/api'
import { beforeEach, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { startPostgres } from '../packages/server/test/postgres.ts'
import {
  type Carrel,
  claim,
  signIn,
  startCarrel,
  testPassword,
  type Visitor,
  withoutWorker,
} from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type Cut, cuts, type NetworkNode, requireNetworks, startSplitNetwork } from './network/split-network.ts'
import { emptyWriteLedger, missingFrom, type WriteLedger } from './numbered-writes.ts'
import { acknowledgedAgain, numbersOf, withPerson, writeOn } from './preference-writers.ts'

beforeEach(({ skip }) => requireNetworks(skip))

const rounds = times(1, 12, 2)
const heldMs = times(6000, 60_000, 20_000)
const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' }

interface SplitInstallation extends AsyncDisposable {
  /** This node keeps its way to the database. */
  readonly whole: Carrel
  /** This one loses it. */
  readonly cutOff: Carrel
  readonly network: NetworkNode
}

const startOn = (
  { enter: [command, ...before], address }: NetworkNode,
  { cwd, url }: { readonly cwd: string; readonly url: string },
): Promise<Carrel> =>
  startCarrel({
    cwd,
    node: command,
    nodeArgs: [...before, process.execPath],
    env: { ...env, CARREL_DATABASE_URL: url, CARREL_HOST: address },
  })

/** Two people, and two nodes. */
const startInstallation = async (): Promise<SplitInstallation> => {
  const running = new AsyncDisposableStack()
  try {
    const network = running.use(await startSplitNetwork(2))
    const postgres = await startPostgres({ isDurable: true, alsoAt: network.databaseAddress })
    running.defer(() => postgres.stop())
    await postgres.createDatabase('split')
    const [one, two] = network.nodes
    if (!one || !two) throw new Error('There are two nodes')
    const folders = [running.use(await temporaryFolder()), running.use(await temporaryFolder())] as const
    {
      // The first administrator is made on the machine itself: elsewhere that takes a token.
      const direct = { ...env, CARREL_DATABASE_URL: postgres.urlOf('split') }
      await using prepared = await startCarrel({ cwd: folders[0].path, env: direct })
      const ana = await claim(prepared)
      bodyOf(await ana.call(api.createUser, { body: { username: 'ben', password: testPassword, role: 'reader' } }))
    }
    const url = new URL(postgres.urlOf('split'))
    url.hostname = network.databaseAddress
    const whole = running.use(await startOn(one, { cwd: folders[0].path, url: url.href }))
    const cutOff = running.use(await startOn(two, { cwd: folders[1].path, url: url.href }))
    return { whole, cutOff, network: two, [Symbol.asyncDispose]: () => running.disposeAsync() }
  } catch (error) {
    await running.disposeAsync()
    throw error
  }
}

/** One change after the other, none of which may be refused. */
const changeAllTheTime = ({ call }: Visitor) => {
  const stopping = new AbortController()
  let slowestMs = 0
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      bodyOf(await call(api.savePreference, { params: { key: 'beside' }, body: { value: 1 } }))
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    }
  }
  const over = run()
  return async (): Promise<number> => {
    stopping.abort()
    await over
    return slowestMs
  }
}

/** Until the time is over everything is refused in the right way; it answers how long the slowest refusal took. */
const expectRefusals = async (carrel: Carrel, person: Visitor, until: number): Promise<number> => {
  let slowestMs = 0
  while (performance.now() < until) {
    const startedAt = performance.now()
    const { status, headers } = await person.call(api.readPreferences, {})
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
  }
  return slowestMs
}

/** What could not be changed at one node is changed at the other. */
const changeInstead = async ({ call }: Visitor, ledger: WriteLedger, slots: readonly string[]): Promise<void> => {
  for (const slot of slots) {
    const number = (ledger.sent.get(slot) ?? 0) + 1
    ledger.sent.set(slot, number)
    bodyOf(await call(api.savePreference, { params: { key: slot }, body: { value: number } }))
    ledger.acknowledged.push({ slot, number, at: 0 })
  }
}

const cutOnce = async (
  { whole, cutOff, network }: SplitInstallation,
  { kind, name, ledger }: { readonly kind: Cut; readonly name: string; readonly ledger: WriteLedger },
) => {
  const [ana, ben] = [await signIn(whole, 'ana'), await signIn(whole, 'ben')]
  const slots = Array.from({ length: 6 }, (_, index) => `${name}-${index}`)
  const stops = slots.map((slot) => writeOn(withPerson(cutOff, ana), ledger, slot))
  await acknowledgedAgain(ledger)
  const isReady = async () => (await cutOff.call(api.readReadiness, {})).status === 200

  await network.cut(kind)
  const cutAt = performance.now()
  const [stopAna, stopBen] = [changeAllTheTime(ana), changeAllTheTime(ben)]
  await waitUntil('the node to be unready', async () => !(await isReady()))
  const unready = performance.now() - cutAt
  const refusal = await expectRefusals(cutOff, withPerson(cutOff, ana), cutAt + heldMs)
  await Promise.all(stops.map((stop) => stop()))
  await changeInstead(ana, ledger, slots)
  const [same, other] = [await stopAna(), await stopBen()]

  await network.heal()
  const stop = writeOn(withPerson(cutOff, ana), ledger, `${name}-after`)
  const back = await acknowledgedAgain(ledger)
  await waitUntil('the node to be ready', isReady)
  await stop()
  return { refusal, unready, back, same, other }
}

const limits = {
  refusal: ['the slowest answer there', 5000],
  unready: ['until that node says that it is not ready', 10_000],
  back: ['until it goes on', 10_000],
  same: ['a change at the other node, of the same person', 5000],
  other: ['a change at the other node, of another', 1000],
} as const

test.each(cuts)(
  'E3 P-12 P-21 P-1 one of two nodes loses its way to the database (%s): it says so, the other goes on, and nothing is lost',
  async (kind) => {
    await using installation = await startInstallation()
    const ledger = emptyWriteLedger()
    const figures: Awaited<ReturnType<typeof cutOnce>>[] = []
    for (let round = 0; round < rounds; round += 1)
      figures.push(await cutOnce(installation, { kind, name: `round-${round}`, ledger }))

    for (const name of ['refusal', 'unready', 'back', 'same', 'other'] as const) {
      const [what, limit] = limits[name]
      const figure = Math.max(...figures.map((each) => each[name]))
      tell({ id: 'E3', what: `a network that splits (${kind}), ${what}`, tries: rounds, figure, limit, unit: 'ms' })
    }
    const lost = missingFrom(await numbersOf(await signIn(installation.whole, 'ana')), ledger.acknowledged, ledger.sent)
    tell({ id: 'E3', what: `changes beside it (${kind})`, tries: ledger.acknowledged.length, lost: lost.length })
    expect(lost).toEqual([])
    expect([...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
  },
)
