import type { FlowingContent } from '../flowing/content.ts'
import type { Exth } from './exth.ts'
import type { MobiHeader } from './header.ts'
import type { PalmDatabase } from './palm-database.ts'
import type { MobiResources } from './resources.ts'

/** A book of one of the two kinds in a database, which may hold one of each. */
export interface MobiParts {
  readonly database: PalmDatabase
  /** The record of its header; its own records are counted from there. */
  readonly first: number
  readonly header: MobiHeader
  readonly exth: Exth
  readonly resources: MobiResources
}

export type FlowingText = Pick<FlowingContent, 'heldBytes' | 'chapters' | 'outline' | 'resources' | 'readResource'>
