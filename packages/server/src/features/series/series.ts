export { keepSeries, refreshSeries } from './record.ts'
