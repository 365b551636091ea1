export { cleanUpBulkEdits, editMany, undoMany } from './bulk/tasks.ts'
