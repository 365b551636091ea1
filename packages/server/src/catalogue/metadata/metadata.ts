export { type AllOf, insertAllOf, selectAllOf } from './carry-over/queries.ts'
export { carryMetadataOver, readShown } from './carry-over/carry-over.ts'
export {
  type BookShown,
  type Entity,
  inContract,
  inLayers,
  type Person,
  type ServiceId,
  type SeriesShown,
} from './fields.ts'
export {
  type ChangedWords,
  type ChangeToStore,
  storeChanges,
  type StoredChange,
  listChanges,
  readChange,
  readChanges,
  setUndoneBy,
} from './history.ts'
export { byPriority, type Layer, readLayers, fieldsByPeople, saveLayers, shownFields } from './layers.ts'
export { deleteChanges, deleteLayersOf, forgetDerivedLayers, forgetFileLayers, forgetLayers } from './queries.ts'
export { differences, recordShown, selectOtherIds } from './record-shown.ts'
export {
  customMetadataIn,
  externalIdsIn,
  externalRatingsIn,
  metadataOfBook,
  metadataOfSeries,
  recordOf,
} from './records.ts'
export { readSources } from './sources.ts'
export {
  type PluginSource,
  readSpokenLayers,
  saveSpokenLayers,
  type Spoken,
  type SpokenSource,
  type Word,
  type LayersBySource,
} from './spoken-layers.ts'
