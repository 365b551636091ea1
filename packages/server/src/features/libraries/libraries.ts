export { recountLibrary, setRootStates } from './record.ts'
