import type { BenchDatabase } from './databases/database.ts'
import type { Installation } from './installation.ts'

/** It is one line of the report. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
  /** The median must keep to the gate; a figure without one is for orientation. */
  readonly gate?: Gate
}

export interface Gate {
  readonly min?: number
  readonly max?: number
}

export interface Bench {
  /** The figures it makes begin with one of these. */
  readonly names: readonly string[]
  /** It takes many minutes and gigabytes: only when it is asked for by name. */
  readonly isLong?: true
  readonly run: (context: BenchContext) => Promise<Figure[]>
}

interface BenchContext {
  readonly installation: Installation
  readonly database: BenchDatabase
}
