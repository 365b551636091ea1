export { deleteBooks, describeBooks, insertBooks, markMissing, placeBooks } from './record.ts'
