import { readingStatuses } from '@carrel/api'
import type { MySeriesKind } from '../../paths.ts'

export const mySeriesKinds = [...readingStatuses, 'followed'] as const satisfies readonly MySeriesKind[]
