import type { Case } from './cases/case.ts'
import { backupAndUpgrade, crashAndDisk } from './cases/crash-and-disk.ts'
import { http, security } from './cases/http.ts'
import { hostileFiles, library, tasksAndPlugins, time } from './cases/library-and-files.ts'
import { nodes } from './cases/nodes.ts'

/** The 109 cases, each with the tests that show it. */
export const cases: readonly Case[] = [
  ...crashAndDisk,
  ...library,
  ...hostileFiles,
  ...tasksAndPlugins,
  ...nodes,
  ...time,
  ...http,
  ...backupAndUpgrade,
  ...security,
]
