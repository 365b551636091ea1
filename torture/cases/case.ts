import type { PromiseId } from '../promises.ts'

/** Part of the title of a test, as it stands in the file and in the report of a run. */
export interface ShownBy {
  readonly file: string
  readonly titles: readonly string[]
}

export interface Case {
  readonly id: string
  /** What is done to the server, and what must hold then. */
  readonly what: string
  readonly promises: readonly PromiseId[]
  /** F: fast, N: of a night, S: hours. */
  readonly sizes: 'F' | 'N' | 'F/N' | 'S'
  readonly isCore: boolean
  readonly shownBy: readonly ShownBy[]
  /** What the case asks for and no test does yet, with the reason. */
  readonly missing?: string
}

/** `of('A1*', 'F/N', …)`: the star makes it one of the core. */
export const of = (
  idWithStar: string,
  sizes: Case['sizes'],
  promises: readonly PromiseId[],
  rest: Pick<Case, 'what' | 'shownBy' | 'missing'>,
): Case => ({ id: idWithStar.replace('*', ''), isCore: idWithStar.endsWith('*'), sizes, promises, ...rest })

export const by = (file: string, ...titles: readonly string[]): ShownBy => ({ file, titles })

export const smoke = (name: string, ...titles: readonly string[]): ShownBy =>
  by(`packages/server/test/smoke/${name}.smoke.test.ts`, ...titles)
export const torture = (name: string, ...titles: readonly string[]): ShownBy =>
  by(`torture/${name}.torture.test.ts`, ...titles)
export const feature = (name: string, ...titles: readonly string[]): ShownBy =>
  by(`packages/server/src/features/${name}.test.ts`, ...titles)
export const server = (name: string, ...titles: readonly string[]): ShownBy =>
  by(`packages/server/src/${name}.test.ts`, ...titles)
export const inServer = (name: string, ...titles: readonly string[]): ShownBy =>
  by(`packages/server/test/${name}.test.ts`, ...titles)
export const browser = (name: string, ...titles: readonly string[]): ShownBy =>
  by(`e2e/${name}.browser.test.ts`, ...titles)
