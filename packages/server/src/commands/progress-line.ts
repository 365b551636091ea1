interface Progress {
  readonly label: string
  /** It names the present step in a word. */
  readonly step: string
  readonly done: number
  /** Undefined: not known yet. */
  readonly total: number | undefined
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressLine {
  show(progress: Progress): void
  /** It makes room for other output. */
  clear(): void
}

const lineEveryMs = 10_000
const barWidth = 24
const widthUsual = 80
const eraseLine = '\r\u001B[K'

/** A bar that moves where somebody looks on; elsewhere a line for each step, and one now and then. */
export const progressLine = (output: Output, now: () => number = () => performance.now()): ProgressLine =>
  output.isTTY ? bar(output) : plainLines(output, now)

const bar = (output: Output): ProgressLine => ({
  show: (progress) => {
    const line = `${drawn(progress)} ${inWords(progress)}`
    output.write(eraseLine + line.slice(0, (output.columns ?? widthUsual) - 1))
  },
  clear: () => void output.write(eraseLine),
})

const drawn = ({ done, total }: Progress): string => {
  if (total === undefined || total === 0) return `[${' '.repeat(barWidth)}]`
  const filled = Math.min(barWidth, Math.floor((done / total) * barWidth))
  return `[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}]`
}

const plainLines = (output: Output, now: () => number): ProgressLine => {
  let shown = ''
  let step = ''
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show: (progress) => {
      const line = inWords(progress)
      const isNewStep = step !== progress.label + progress.step
      if (line === shown || (!isNewStep && now() - shownAt < lineEveryMs)) return
      shown = line
      step = progress.label + progress.step
      shownAt = now()
      output.write(`${line}\n`)
    },
    clear: () => undefined,
  }
}

const inWords = ({ label, step, done, total }: Progress): string => {
  const count = total === undefined ? (done === 0 ? '' : ` ${done}`) : ` ${done} of ${total}`
  return `${label}: ${step}${count}`
}
