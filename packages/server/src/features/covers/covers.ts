export { wantCovers } from './record.ts'
