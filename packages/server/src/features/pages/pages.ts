export { savePages, takeOverPages } from './record.ts'
