package corpus.refused;

parcelable OnewayField { oneway int a; }
