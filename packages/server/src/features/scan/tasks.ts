import { Type } from 'typebox'
import { defineTask } from '../../tasks/define-task.ts'
import { ScanRun } from './run-scan.ts'
import type { ScanResources } from './resources.ts'

export { analyseLibrary } from './analysis/analyse-library.ts'
export { cleanUpMissing, purgeMissing } from './removals/purge-missing.ts'
export { regroupLibrary } from './regroup.ts'
export { joinFiles } from './several-files/join-files.ts'
export { relinkMissing } from './relinks/relink-missing.ts'

const day = 24 * 60 * 60 * 1000

/** Looks at the folders of a library and writes down what has become of them. One at a time for each library. */
export const scanLibrary = defineTask(
  Type.Object({
    scanId: Type.String(),
    libraryId: Type.String(),
    mode: Type.Union([Type.Literal('changes'), Type.Literal('full')]),
    paths: Type.Array(Type.String()),
  }),
  {
    type: 'scan_library',
    priority: 200,
    endsWithinMs: day,
    key: ({ libraryId }) => libraryId,
    subject: ({ libraryId }) => ({ libraryId }),
    run: (payload, context, resources: ScanResources) => new ScanRun(payload, context, resources).run(),
  },
)
