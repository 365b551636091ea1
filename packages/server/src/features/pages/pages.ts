export { savePages, takeOverPages } from './queries.ts'
