import type { Installation } from '../installation.ts'
import { type Child, spawnChild } from './child.ts'
import type { NodeAnswers } from './node.ts'

export type Node = Child<NodeAnswers>

/** The node uses the database of the installation. */
export const spawnNode = ({ directory, environment }: Pick<Installation, 'directory' | 'environment'>): Promise<Node> =>
  spawnChild<NodeAnswers>('node.ts', directory, environment)
