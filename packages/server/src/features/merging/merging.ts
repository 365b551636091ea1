export { takeActBack } from './moves/take-back.ts'
