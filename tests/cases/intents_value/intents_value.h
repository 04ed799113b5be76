double difference(double a, double b);
