import { appendFileSync } from 'node:fs'

/**
 * `npm run torture` does what is done a few times here as often as it takes to believe it; with `-- --hour`, as often as
 * an hour allows. `CARREL_TORTURE=few` takes the few for the files that only it runs.
 */
const size = process.env.CARREL_TORTURE ?? 'few'

export const times = (usually: number, inTorture: number, inAnHour = usually): number =>
  size === 'few' ? usually : size === 'hour' ? inAnHour : inTorture

/** What a test has to tell of a case of the suite (torture/cases.ts). */
export interface Told {
  readonly id: string
  /** What was tried, where a case has several tests. */
  readonly what?: string
  /** How often it was tried. */
  readonly tries: number
  /** What was acknowledged and is not there. */
  readonly lost?: number
  readonly figure?: number
  readonly limit?: number
  readonly unit?: string
}

/** It puts figures into the report of `npm run torture`; elsewhere they are only printed. */
export const tell = (told: Told): void => {
  const { id, what, tries, lost, figure: value, limit, unit } = told
  const parts = [
    `  ${id}${what === undefined ? '' : ` ${what}`}: ${tries} tries`,
    ...(lost === undefined ? [] : [`${lost} lost`]),
    ...(value === undefined ? [] : [`${Math.round(value)} ${unit ?? ''}`.trim()]),
    ...(limit === undefined ? [] : [`limit ${limit}`]),
  ]
  console.log(parts.join(', '))
  const file = process.env['TORTURE_FIGURES']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(told)}\n`)
}

/** The figure is printed and never asserted: how long something takes depends on the machine. */
export const figure = (what: string, milliseconds: number): void => {
  console.log(`  figure: ${what}: ${Math.round(milliseconds)} ms`)
}

/** It measures how long a wait lasted. */
export const timed = async <Result>(what: string, wait: Promise<Result>): Promise<Result> => {
  const startedAt = performance.now()
  const result = await wait
  figure(what, performance.now() - startedAt)
  return result
}
