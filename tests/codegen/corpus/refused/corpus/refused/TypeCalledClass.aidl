package corpus.refused;

parcelable TypeCalledClass { enum class { A } }
