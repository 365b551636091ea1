import { type SandboxChoice, findMeans, type Means } from '../../src/plugins/isolation.ts'

/** A machine with this much to hold plugins with. */
export interface PluginMachine {
  readonly name: string
  readonly sandbox: SandboxChoice
  readonly means: Means
  /** It says why the machine cannot be tested here. */
  readonly missing: string | undefined
}

const means = await findMeans()

const cases = [
  {
    name: 'a machine with bwrap',
    sandbox: 'bwrap',
    means: { ...means, namespaces: undefined },
    missing:
      means.bwrap === undefined ? 'there is no bwrap that works (Debian: apt-get install bubblewrap)' : undefined,
  },
  {
    name: 'a machine with user namespaces alone',
    sandbox: 'unshare',
    means: { ...means, bwrap: undefined },
    missing: means.namespaces?.ip === undefined ? 'there is no unshare, setpriv or ip that works' : undefined,
  },
  {
    name: 'a machine that can hold nobody',
    sandbox: 'none',
    means: { bwrap: undefined, namespaces: undefined, setpriv: undefined, proc: true },
    missing: undefined,
  },
] as const satisfies readonly PluginMachine[]

/** The name says so where a machine cannot be tried. */
export const machines: readonly (readonly [name: string, machine: PluginMachine])[] = cases.map((machine) => [
  machine.missing === undefined ? machine.name : `${machine.name} (NOT TESTED: ${machine.missing})`,
  machine,
])

/** It skips what needs what is not there, and says so where everybody sees it. */
export const requireMachine = ({ name, missing }: PluginMachine, skip: (note: string) => void): void => {
  if (missing === undefined) return
  const note = `NOT TESTED: plugins on ${name}, because ${missing}`
  console.warn(note)
  skip(note)
}
