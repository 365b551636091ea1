export { readSidecars } from './read-sidecars.ts'
export { writeSidecars } from './write-sidecars.ts'
