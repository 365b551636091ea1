import { PluginFault, plainText } from './fault.ts'

export interface Refusals {
  add(target: string, why: string): void
  /** It logs everything gathered so far. */
  flush(): void
}

const everyMs = 60_000
const linesMax = 20
const lineLengthMax = 200

/**
 * The first refused connection is logged at once, later ones are gathered, so that a plugin cannot fill a log with its
 * tries.
 */
export const gatherRefusals = (tell: (fault: PluginFault, lines: string) => void): Refusals => {
  let count = 0
  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const [first] = lines
    if (first === undefined) return
    const more = count === 1 ? '' : ` And ${count - 1} times more.`
    tell(new PluginFault('NETWORK_REFUSED', `${first}${more}`), lines.join('\n'))
    count = 0
    lines = []
  }

  const wait = (): void => {
    timer = setTimeout(() => {
      flush()
      if (count > 0) wait()
    }, everyMs)
    timer.unref()
  }

  return {
    add: (target, why) => {
      count += 1
      const line = plainText(target === '' ? why : `It may not reach ${target}. ${why}`, lineLengthMax)
      if (lines.length < linesMax && !lines.includes(line)) lines.push(line)
      if (timer !== undefined) return
      flush()
      wait()
    },
    flush,
  }
}
