import { readingStatuses } from '@carrel/api'
import type { MySeriesKind } from '../../navigation/paths.ts'

export const mySeriesKinds = [...readingStatuses, 'followed'] as const satisfies readonly MySeriesKind[]
